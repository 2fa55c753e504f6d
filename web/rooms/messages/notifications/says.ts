// The texts of notifications and of their settings, which are loaded with their pages.
import { addWords } from '../../../base/words.ts'
import { notificationTexts } from './texts.ts'

/** How these pages read their texts. */
export const { t, tOf, hasWord } = addWords(notificationTexts)
