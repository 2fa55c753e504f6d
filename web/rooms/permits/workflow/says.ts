// The texts of the workflow editor, which are loaded with its page (decision 910).
import { addWords } from '../../../base/words.ts'
import { workflowTexts } from './texts.ts'

/** How these parts of the app read their texts. */
export const { hasWord, t } = addWords(workflowTexts)
