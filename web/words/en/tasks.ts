/** Words of tasks. */
export const tasks = {
  'tasks.title': 'Tasks',
  'tasks.count': { one: '{n} waits for you', other: '{n} wait for you' },
  'tasks.later': 'Not yet, but soon',
  'tasks.empty': 'Nothing waits for you. New tasks come here by themselves.',
  'tasks.due': 'due {when}',
  'tasks.overdue': 'was due {when}',
  'tasks.take': 'I am on it',
  'tasks.mine': 'You are on it',
  'tasks.taken_by': '{name} is on it',
  'tasks.next.endorse_permit': 'Review and endorse',
  'tasks.next.approve_permit': 'Review and approve',
  'tasks.next.issue_permit': 'Read and sign',
  'tasks.next.close_out_permit': 'Close out',
  'tasks.next.approve_membership': 'Let in or refuse',
  'tasks.next.reassign_duties': 'Name somebody else',
  'tasks.next.check_address': 'Look at the address',
} as const
