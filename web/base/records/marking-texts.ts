/** Texts of marking a copy of a photo. */
export const markingTexts = {
  'marking.title': 'Mark a copy of {name}',
  'marking.tool': 'What to draw',
  'marking.arrow': 'Arrow',
  'marking.ring': 'Ring',
  'marking.line': 'Line',
  'marking.picture': 'Photo to draw on',
  'marking.how': 'Draw on the photo with your finger or the mouse. The photo itself doesn’t change: your marks are saved on a copy.',
  'marking.keys':
    'With the keyboard: move the cross with the arrow keys, with Shift in small steps. Press Enter to begin a mark, and Enter again to end it.',
  'marking.count': { one: '{n} mark', other: '{n} marks' },
  'marking.undo': 'Undo the last mark',
  'marking.save': 'Save the copy',
  'marking.added': 'The marked copy has been added.',
  'marking.saving': 'Saving the copy…',
  'marking.unsaved': 'The marked copy isn’t saved yet.',
  'marking.leave': 'Close without saving',
  'marking.go_on': 'Keep marking',
} as const
