// The texts of schedules, which are loaded with their windows.
import { addWords } from '../../../../base/words.ts'
import { mapTexts } from '../texts.ts'
import { scheduleTexts } from './texts.ts'

/** How these parts of the app read their texts. */
export const { t, tOf } = addWords({ ...mapTexts, ...scheduleTexts })
