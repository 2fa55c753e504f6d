// The texts of the import, which are loaded with its page.
import { addWords } from '../../../base/words.ts'
import { importTexts } from './texts.ts'

/** How these parts of the app read their texts. */
export const { t, tOf } = addWords(importTexts)
