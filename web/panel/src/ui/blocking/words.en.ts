export default {
  block: 'Block',
  unblock: 'Unblock',
  title: 'Block {name}?',
  blocked: '{name} is blocked.',
  unblocked: '{name} is active again.',
} as const;
