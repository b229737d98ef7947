// What a user of the panel may do, by one word.

export const userRoles = ['owner', 'staff', 'read_only', 'operator'] as const;
export type UserRole = (typeof userRoles)[number];
