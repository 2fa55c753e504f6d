// The requests of this room, and which queries a change makes stale.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ask, client, freshKey, ifMatch, type Schemas } from '../../../base/api.ts'
import { queries } from '../../../base/query.ts'
import type { Rule } from './model.ts'

/** Every rule of a site, including those that come with the product. */
export const useRules = (site_id: string) =>
  useQuery({
    queryKey: ['rules', site_id],
    queryFn: () => ask(client.GET('/notification-rules', { params: { query: { site_id } } })),
  })

/** One rule. */
export const useRule = (rule_id: string | null) =>
  useQuery({
    queryKey: ['rules', 'one', rule_id],
    queryFn: () => ask(client.GET('/notification-rules/{rule_id}', { params: { path: { rule_id: rule_id ?? '' } } })),
    enabled: rule_id !== null,
  })

/** The versions of a rule, newest first. */
export const useVersions = (rule_id: string) =>
  useQuery({
    queryKey: ['rules', 'versions', rule_id],
    queryFn: () => ask(client.GET('/notification-rules/{rule_id}/versions', { params: { path: { rule_id } } })),
  })

/** Events that rules can use. */
export const useEvents = () =>
  useQuery({
    queryKey: ['rules', 'events'],
    queryFn: () => ask(client.GET('/notification-rules/event-schemas')),
    staleTime: Number.POSITIVE_INFINITY,
  })

type Asked = Omit<Schemas['PreviewNotificationRule'], 'site_id'>
const SETTLED_MS = 400

/** Returns a value once it has been stable for a moment, so that typing doesn't query the service at each letter. */
function useSettled<T>(value: T): T {
  const text = JSON.stringify(value)
  const latest = useRef(value)
  latest.current = value
  const [settled, setSettled] = useState(value)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a value that looks the same hasn't changed.
  useEffect(() => {
    const timer = setTimeout(() => setSettled(latest.current), SETTLED_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

/** The recipients that a rule would have, and how often it would send. Null means that there is nothing to preview yet. */
export function useTrial(site_id: string, asked: Asked | null) {
  const settled = useSettled(asked)
  return useQuery({
    queryKey: ['rules', 'trial', site_id, settled],
    queryFn: ({ signal }) => ask(client.POST('/notification-rules/preview-recipients', { body: { site_id, ...settled }, signal })),
    enabled: settled !== null,
    placeholderData: before => before,
    gcTime: 60_000,
  })
}

const moved = (): void => void queries.invalidateQueries({ queryKey: ['rules'], predicate: query => query.queryKey[1] !== 'events' })

/** Puts the rule from a response into the cache immediately. */
function learnt(rule: Rule): Rule {
  queries.setQueryData(['rules', 'one', rule.id], rule)
  moved()
  return rule
}

/** Creates a rule of the site. */
export const makeRule = async (site_id: string, rule: Omit<Schemas['NewNotificationRule'], 'site_id'>): Promise<Rule> =>
  learnt(await ask(client.POST('/notification-rules', { body: { site_id, ...rule }, headers: freshKey() })))

/** Changes a rule, with the version that was shown. */
export const changeRule = async (rule: Rule, change: Schemas['NotificationRuleChange']): Promise<Rule> =>
  learnt(
    await ask(
      client.PATCH('/notification-rules/{rule_id}', {
        params: { path: { rule_id: rule.id } },
        body: change,
        headers: ifMatch(rule.version),
      }),
    ),
  )

/** Switches a rule on or off. */
export const turnRule = async (rule: Rule, enabled: boolean): Promise<Rule> =>
  learnt(
    await ask(
      client.POST('/notification-rules/{rule_id}/enabled', {
        params: { path: { rule_id: rule.id } },
        body: { enabled },
        headers: freshKey(),
      }),
    ),
  )

/** Makes a rule of the site from any rule, switched off. */
export const cloneRule = async (rule: Rule): Promise<Rule> =>
  learnt(
    await ask(
      client.POST('/notification-rules/{rule_id}/clone', { params: { path: { rule_id: rule.id } }, body: {}, headers: freshKey() }),
    ),
  )

/** Deletes a rule of the site. */
export async function deleteRule(rule: Rule): Promise<void> {
  await ask(client.DELETE('/notification-rules/{rule_id}', { params: { path: { rule_id: rule.id } }, headers: ifMatch(rule.version) }))
  queries.removeQueries({ queryKey: ['rules', 'one', rule.id] })
  moved()
}
