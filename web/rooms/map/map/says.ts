// The texts of the map, which are loaded with it.
import { addWords } from '../../../base/words.ts'
import { mapTexts } from './texts.ts'

/** How these parts of the app read their texts. */
export const { t, tOf, hasWord } = addWords(mapTexts)
