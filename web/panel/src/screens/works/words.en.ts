export default {
  name: 'Name',

  since: 'Oldest connection',

  worksAbout: 'What runs in the background, how much of it is due, and how late it is.',
  work: 'Work',
  due: 'Due',
  lag: 'Late by',
  uncounted: 'Not counted: this work has no queue',
  seconds: '{value} s',
  nodes: 'Nodes',
  nodesAbout: 'Processes that use the database.',
  node: 'Process',
  address: 'Address',
  connections: 'Connections',
  installation: 'Installation',
  version: 'Version',
  database: 'PostgreSQL',
  size: 'Size of the database',
} as const;
