/** Texts of the notification rules that are needed before one of their pages is loaded. */
export const words = {
  'settings.rules_tab': 'Notification rules',
  'rules.title': 'Notification rules',
  'band.stage1': 'endorse permits',
  'band.stage2': 'approve permits',
  'band.read': 'see the site',
  'band.contribute': 'create and edit their contractor’s records',
  'band.coordinate': 'coordinate work',
  'band.manage': 'manage the site',
  'band.administer': 'administer the site',
  'named.nominee': 'nominee',
  'named.deputy_nominee': 'deputy nominee',
  'named.asker': 'person who made the request',
  'named.person': 'person',
  'named.inviter': 'person who sent the invitation',
  'named.author': 'author',
} as const
