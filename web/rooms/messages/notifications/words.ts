/** Texts of notifications that are known from the start. */
export const words = {
  'nav.notifications': 'Notifications',
  'urgency.info': 'Information',
  'urgency.attention': 'Attention',
  'urgency.critical': 'Critical',
  'channel.in_app': 'In the app',
  'channel.email': 'Email',
  'channel.push': 'Push',
  'named.requestor': 'requestor',
  'named.receiver': 'receiver',
  'named.issuer': 'issuer',
  'named.approver': 'approver',
  'named.endorser': 'endorser',
  'inbox.bell': { one: 'Notifications: {n} unread', other: 'Notifications: {n} unread' },
  'prefs.title': 'Notification settings',
} as const
