// Runs before anything is painted: people who chose the dark theme see no light flash while the app loads.
import { keptLooks, showLooks } from './base/looks-kept.ts'

showLooks(keptLooks())
