// Texts of the workflow editor, which are loaded with its page (decision 910).
import { addWords, hasWord, t } from '../../../base/words.ts'
import { workflowTexts } from './texts.ts'

addWords(workflowTexts)

export { hasWord, t }
