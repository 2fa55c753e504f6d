// The texts of people and contractors, which are loaded with their pages.
import { addWords } from '../../../base/words.ts'
import { peopleTexts } from './texts.ts'

/** How these parts of the app read their texts. */
export const { t, tOf } = addWords(peopleTexts)
