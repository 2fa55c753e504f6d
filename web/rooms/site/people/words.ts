/** Texts of people and contractors that are needed before one of their pages is loaded. */
export const words = {
  'nav.people': 'People',
  'people.contractors': 'Contractors',
} as const
