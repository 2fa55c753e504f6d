// Texts of the notification rules, which are loaded with their pages (decision 910).
import { addWords, hasWord, t, tOf } from '../../../base/words.ts'
import { noticeRuleTexts } from './texts.ts'

addWords(noticeRuleTexts)

export { hasWord, t, tOf }
