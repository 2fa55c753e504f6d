/** The texts of work that has stopped because of a clash. */
export const stoppedTexts = {
  'stopped.button': 'Work has stopped',
  'stopped.recorded': 'This is recorded as a blocker. The contractor that can clear it is notified.',
  'stopped.whose': 'Whose work has stopped',
  'stopped.since': 'Since when',
  'stopped.since.hint': 'If you leave it empty: since the start of the clash. Site time ({zone})',
  'stopped.what': 'What stops the work',
  'stopped.said': 'Recorded',
  'stopped.open': '{number}: work of {whose} has stopped, since {time}',
  'stopped.resolved': '{number}: work of {whose} goes on again, since {time}',
  'stopped.on.button': 'Work goes on again',
  'stopped.on.how': 'How it was cleared',
  'stopped.on.when': 'Since when',
  'stopped.on.when.hint': 'If you leave it empty: now. Site time ({zone})',
} as const
