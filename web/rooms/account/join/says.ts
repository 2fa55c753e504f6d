// The texts of the invitation page, which are loaded with its page.
import { addWords } from '../../../base/words.ts'
import { joinTexts } from './texts.ts'

/** How these parts of the app read their texts. */
export const { t, tOf } = addWords(joinTexts)
