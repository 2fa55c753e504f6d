// The texts of smart groups, which are loaded with their pages.
import { addWords } from '../../../base/words.ts'
import { groupTexts } from './texts.ts'

/** How these parts of the app read their texts. */
export const { t, tOf } = addWords(groupTexts)
