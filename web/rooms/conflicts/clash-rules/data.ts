// The requests of this room, and which queries a change makes stale.
import { useQuery } from '@tanstack/react-query'
import { ask, client, freshKey, ifMatch, type Schemas } from '../../../base/api.ts'
import { queries } from '../../../base/query.ts'
import type { Consequence, OneRule, Profile, Rule } from './model.ts'

/** Profiles of a site: the active one first. */
export const useProfiles = (site_id: string) =>
  useQuery({
    queryKey: ['clash-rules', 'profiles', site_id],
    queryFn: () => ask(client.GET('/rule-profiles', { params: { query: { site_id } } })),
    meta: { keep: true },
  })

/** The rules of a profile, by name. */
export const useRules = (site_id: string, profile_id: string) =>
  useQuery({
    queryKey: ['clash-rules', 'of', site_id, profile_id],
    queryFn: () => ask(client.GET('/clash-rules', { params: { query: { site_id, profile_id } } })),
    meta: { keep: true },
  })

/** One rule. */
export const useRule = (rule_id: string | null) =>
  useQuery({
    queryKey: ['clash-rules', 'one', rule_id],
    queryFn: () => ask(client.GET('/clash-rules/{rule_id}', { params: { path: { rule_id: rule_id ?? '' } } })),
    enabled: rule_id !== null,
    meta: { keep: true },
  })

/** The versions of a rule, newest first. */
export const useHistory = (rule_id: string) =>
  useQuery({
    queryKey: ['clash-rules', 'history', rule_id],
    queryFn: () => ask(client.GET('/clash-rules/{rule_id}/history', { params: { path: { rule_id } } })),
  })

/** The content of a version of a rule. */
export const useVersion = (rule_id: string, version: number) =>
  useQuery({
    queryKey: ['clash-rules', 'version', rule_id, version],
    queryFn: () =>
      ask(client.GET('/clash-rules/{rule_id}/versions/{version}', { params: { path: { rule_id, version: String(version) } } })),
    // Versions don't change.
    staleTime: Number.POSITIVE_INFINITY,
  })

/** What differs between two versions of a rule; nothing is requested while one of them is null. */
export const useDifferences = (rule_id: string, from: number | null, to: number | null) =>
  useQuery({
    queryKey: ['clash-rules', 'diff', rule_id, from, to],
    queryFn: () =>
      ask(client.GET('/clash-rules/{rule_id}/diff', { params: { path: { rule_id }, query: { from: from ?? 1, to: to ?? 1 } } })),
    enabled: from !== null && to !== null,
    // Versions don't change.
    staleTime: Number.POSITIVE_INFINITY,
  })

/** What clashes of each rule of a profile mean for the work. */
export const useConsequences = (site_id: string, profile_id: string) =>
  useQuery({
    queryKey: ['clash-rules', 'consequences', site_id, profile_id],
    queryFn: () => ask(client.GET('/clash-consequences', { params: { query: { site_id, profile_id } } })),
  })

/** What updating the standard rules of a profile would do; nothing is changed. */
export const useDryRun = (profile_id: string) =>
  useQuery({
    queryKey: ['clash-rules', 'sync', profile_id],
    queryFn: () =>
      ask(
        client.POST('/rule-profiles/{profile_id}/sync-system-rules', {
          params: { path: { profile_id } },
          body: { dry_run: true },
          headers: freshKey(),
        }),
      ),
    gcTime: 0,
    staleTime: 0,
  })

const moved = (): void => void queries.invalidateQueries({ queryKey: ['clash-rules'] })

function learnt<T extends OneRule>(rule: T): T {
  queries.setQueryData(['clash-rules', 'one', rule.id], rule)
  moved()
  return rule
}

async function after<T>(work: Promise<T>): Promise<T> {
  const done = await work
  moved()
  return done
}

/** Creates a profile, which is not active. */
export const makeProfile = (body: Schemas['NewRuleProfile']): Promise<Profile> =>
  after(ask(client.POST('/rule-profiles', { body, headers: freshKey() })))

/** Changes the name or the description of a profile. */
export const changeProfile = (profile: Profile, body: Schemas['RuleProfileChange']): Promise<Profile> =>
  after(
    ask(
      client.PATCH('/rule-profiles/{profile_id}', {
        params: { path: { profile_id: profile.id } },
        body,
        headers: ifMatch(profile.version),
      }),
    ),
  )

/** Deletes a profile with its rules. */
export const deleteProfile = (profile: Profile): Promise<unknown> =>
  after(
    ask(client.DELETE('/rule-profiles/{profile_id}', { params: { path: { profile_id: profile.id } }, headers: ifMatch(profile.version) })),
  )

/** Makes a profile the active one. */
export const activateProfile = (profile: Profile): Promise<Profile> =>
  after(ask(client.POST('/rule-profiles/{profile_id}/activate', { params: { path: { profile_id: profile.id } }, headers: freshKey() })))

/** Copies a profile, to the same site or to another one. */
export const cloneProfile = (profile: Profile, body: Schemas['CloneRuleProfile']): Promise<Schemas['ClonedRuleProfile']> =>
  after(ask(client.POST('/rule-profiles/{profile_id}/clone', { params: { path: { profile_id: profile.id } }, body, headers: freshKey() })))

/** Takes over the newest standard rules; those in `overwrite` even if they were customised. */
export const syncProfile = (
  profile: Profile,
  overwrite: NonNullable<Schemas['SyncRuleProfile']['overwrite']>,
): Promise<Schemas['SyncedRuleProfile']> =>
  after(
    ask(
      client.POST('/rule-profiles/{profile_id}/sync-system-rules', {
        params: { path: { profile_id: profile.id } },
        body: { overwrite },
        headers: freshKey(),
      }),
    ),
  )

/** Creates a rule of the site. */
export const makeRule = async (body: Schemas['NewClashRule']): Promise<OneRule> =>
  learnt(await ask(client.POST('/clash-rules', { body, headers: freshKey() })))

/** Saves changes as the next version of a rule, with the version that was shown. */
export const changeRule = async (rule: Pick<Rule, 'id' | 'version'>, body: Schemas['ClashRuleChange']): Promise<OneRule> =>
  learnt(
    await ask(
      client.PATCH('/clash-rules/{rule_id}', { params: { path: { rule_id: rule.id } }, body, headers: ifMatch(rule.version) }),
    ).catch((error: unknown) => {
      moved() // someone may have saved a version meanwhile: the page then shows what they changed
      throw error
    }),
  )

/** Deletes a rule of the site. */
export async function deleteRule(rule: Rule): Promise<void> {
  await ask(client.DELETE('/clash-rules/{rule_id}', { params: { path: { rule_id: rule.id } }, headers: ifMatch(rule.version) }))
  queries.removeQueries({ queryKey: ['clash-rules', 'one', rule.id] })
  moved()
}

/** Restores a version of a rule as the next one. */
export const revertRule = async (rule: Rule, version: number, change_note: string): Promise<OneRule> =>
  learnt(
    await ask(
      client.POST('/clash-rules/{rule_id}/revert/{version}', {
        params: { path: { rule_id: rule.id, version: String(version) } },
        body: change_note === '' ? {} : { change_note },
        headers: { ...freshKey(), ...ifMatch(rule.version) },
      }),
    ),
  )

/** Reads again what clashes mean for the work, which the clashes to settle are ordered by and show. */
async function meaning<T>(work: Promise<T>): Promise<T> {
  const done = await after(work)
  void queries.invalidateQueries({ queryKey: ['clashes'] })
  return done
}

/** Sets what clashes of a rule mean for the work. `version`: of what the person saw; 0 if nobody had set it. */
export const setConsequence = (body: Schemas['SetClashConsequence'], version: number): Promise<Consequence> =>
  meaning(ask(client.PUT('/clash-consequences', { body, headers: ifMatch(version) })))

/** Goes back to the default consequence of a rule. */
export const resetConsequence = (clash_rule_id: string, version: number): Promise<unknown> =>
  meaning(ask(client.DELETE('/clash-consequences/{clash_rule_id}', { params: { path: { clash_rule_id } }, headers: ifMatch(version) })))
