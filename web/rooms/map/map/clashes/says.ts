// The texts of clashes on the map, which are loaded with it.
import { addWords } from '../../../../base/words.ts'
import { mapTexts } from '../texts.ts'
import { mapClashTexts } from './texts.ts'

/** How these parts of the app read their texts. */
export const { t, tOf } = addWords({ ...mapTexts, ...mapClashTexts })
