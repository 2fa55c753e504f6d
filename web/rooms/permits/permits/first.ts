// What a site needs before its first permit. Finished steps are counted from existing data, so that nothing has to be stored.
import type { SwitchableGroup } from '../../../../shared/groups.ts'
import { keysOf } from '../../../../shared/narrow.ts'

/** What the site has, as far as the person can see it; null if they can't. */
export type Facts = {
  types: number | null
  issuers: number | null
  people: number | null
  invited: number | null
  drawn: number | null
  registers: number | null
}

/** A step, whether it is done, and how many there are. */
export type FirstStep = { step: 'types' | 'issuers' | 'people' | 'ground' | 'import' | 'request'; done: boolean; n: number }

/** The permission that each step needs. */
const NEEDS = {
  types: 'permit_settings_manage',
  issuers: 'permit_settings_manage',
  people: 'member_invite',
  ground: 'reference_edit',
  import: 'contractor_manage',
  request: 'permit_request',
} as const

/** Returns the steps of this person, in order; without the map if the site has switched it off. */
export function firstSteps(facts: Facts, can: (permission: string) => boolean, groups_off: readonly SwitchableGroup[] = []): FirstStep[] {
  const { types, issuers, people, invited, drawn, registers } = facts
  const there: Record<FirstStep['step'], { n: number; done: boolean }> = {
    types: { n: types ?? 0, done: (types ?? 0) > 0 },
    issuers: { n: issuers ?? 0, done: (issuers ?? 0) > 0 },
    // The person who sees this counts too.
    people: { n: people ?? 0, done: (people ?? 0) > 1 || (invited ?? 0) > 0 },
    ground: { n: drawn ?? 0, done: (drawn ?? 0) > 0 },
    import: { n: registers ?? 0, done: (registers ?? 0) > 0 },
    request: { n: 0, done: false },
  }
  return keysOf(NEEDS)
    .filter(step => can(NEEDS[step]) && !(step === 'ground' && groups_off.includes('map')))
    .map(step => ({ step, ...there[step] }))
}

/** Returns the next step: the first that is not done. */
export const nextOf = (steps: readonly FirstStep[]): FirstStep | undefined => steps.find(step => !step.done)
