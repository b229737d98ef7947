export default {
  views: 'Saved views',
  save: 'Save this view',
  saveHint: 'Keeps the filters as they are, for you only. A view of the same name is replaced.',
  name: 'Name of the view',
  saved: 'Saved: {name}',
  change: 'Change the view {name}',
  rename: 'Rename',
  delete: 'Delete',
  deleted: 'Deleted: {name}',
} as const;
