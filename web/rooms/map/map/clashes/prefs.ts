// Whether a person sees clashes on the maps of this device: stored with how they see plans.
import { choose, useSeen } from '../plans/prefs.ts'

const KEY = 'clashes'

/** Shows clashes on the maps of this device, or hides them. */
export const showClashes = (shown: boolean): void => choose(KEY, { shown })

/** Whether the maps of this device show clashes. */
export const useShowsClashes = (): boolean => useSeen()[KEY]?.shown ?? true
