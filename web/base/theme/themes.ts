export const THEMES = ['light', 'dark', 'outdoor'] as const
export type Theme = (typeof THEMES)[number]
