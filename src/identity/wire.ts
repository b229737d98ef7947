/** How every response of the panel's endpoints begins. */
export const done = (requestId: string) => ({ result: 'success' as const, requestId });
