// The texts of the settings, which are loaded with their pages.
import { addWords } from '../../../base/words.ts'
import { settingsTexts } from './texts.ts'

/** How these parts of the app read their texts. */
export const { t, tOf } = addWords(settingsTexts)
