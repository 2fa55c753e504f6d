// Runs before anything is painted, so that people who chose the dark theme see no flash of light while the app loads.
import { keptLooks, showLooks } from './base/looks-kept.ts'

showLooks(keptLooks())
