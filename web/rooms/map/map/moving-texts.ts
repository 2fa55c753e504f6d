/** The texts of moving things on the map, and of the permit that is requested for them. */
export const movingTexts = {
  'token.handle': 'Move {name}: drag it, or use the arrow keys',
  'token.handle_hint': 'Drag it, or use the arrow keys: 1 m, with Shift 10 m',
  'token.move_here': 'Move here',
  'token.put_back': 'Put it back',
  'token.request_permit': 'Request a permit',
  'token.moved': '{name} has been moved. The map still shows where it was before.',
  'token.moved_only': '{name} has been moved.',
  'token.move': 'Move',
  'token.move_now': 'Move now',
  'token.move_title': 'Where {name} is',
  'token.move_now_title': 'Where {name} is from now on',
} as const
