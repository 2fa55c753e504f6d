// The texts of the notification rules, which are loaded with their pages (decision 910).
import { addWords } from '../../../base/words.ts'
import { noticeRuleTexts } from './texts.ts'

/** How these parts of the app read their texts. */
export const { hasWord, t, tOf } = addWords(noticeRuleTexts)
