/** The texts of two permits side by side; they are loaded when someone compares them. */
export const comparedTexts = {
  'compared.own': 'This permit',
  'compared.other': 'The other permit',
  'compared.map': 'Map of the conflict',
  'compared.hidden': 'Nothing else is shown about a permit that you can’t see. Ask a coordinator if you need to know more.',
} as const
