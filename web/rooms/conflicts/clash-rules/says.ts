// The texts of clash rules, which are loaded with their pages.
import { addWords, t, tOf } from '../../../base/words.ts'
import { ruleTexts } from './rule-texts.ts'
import { clashTexts } from './texts.ts'

addWords(clashTexts)
addWords(ruleTexts)

export { t, tOf }
