// The mails of invitations and new passwords. The first keys begin with the purpose of the link, later ones with the role.

export default {
  invitation_subject: 'Invitation to the Grosz panel',
  invitation_intro: 'You have access to the payment panel. Set a password to sign in.',
  invitation_button: 'Set a password',
  invitation_after: 'The link works once and expires after seven days. If you did not expect it, ignore this message.',
  reset_subject: 'New password for the Grosz panel',
  reset_intro: 'We received a request for a new password for the payment panel.',
  reset_button: 'Set a new password',
  reset_after:
    'The link works once and expires after an hour. If it was not you, ignore this message: your password stays the same.',
  automatic: 'This message was sent automatically.',
  greeting: 'Hello,',
  user: 'User',
  account: 'Account',
  role: 'Role',
  role_owner: 'owner',
  role_staff: 'staff',
  role_read_only: 'read only',
  role_operator: 'operator',
} as const;
