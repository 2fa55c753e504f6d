// The texts of area stops, which are loaded with their page.
import { addWords } from '../../../base/words.ts'
import { stopTexts } from './texts.ts'

/** How these parts of the app read their texts. */
export const { t } = addWords(stopTexts)
