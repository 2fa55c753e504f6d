// The texts of plans, which are loaded with their screens.
import { addWords } from '../../../../base/words.ts'
import { mapTexts } from '../texts.ts'
import { planTexts } from './texts.ts'

/** How these parts of the app read their texts. */
export const { t, tOf } = addWords({ ...mapTexts, ...planTexts })
