// The texts of clash rules, which are loaded with their pages.
import { addWords } from '../../../base/words.ts'
import { ruleTexts } from './rule-texts.ts'
import { clashTexts } from './texts.ts'

/** How these parts of the app read their texts. */
export const { t, tOf } = addWords({ ...clashTexts, ...ruleTexts })
