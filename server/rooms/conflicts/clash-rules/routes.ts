import { created, del, get, patch, post } from '../../../base/http.ts'
import { ref, Type } from '../../../base/schema.ts'
import { changeRule, createRule, removeRule, revertRule } from './actions/change.ts'
import { listRules, showDiff, showHistory, showRule, showVersion } from './actions/show.ts'
import { clashRule } from './door.ts'
import {
  ClashRule,
  ClashRuleChange,
  ClashRuleDifference,
  ClashRuleHistory,
  ClashRuleVersion,
  DiffQuery,
  NewClashRule,
  OneClashRule,
  RevertBody,
  RuleFilter,
} from './schema.ts'

/** The version in a path; anything else is a version that no rule has. */
const versionIn = ({ version = '' }: Record<string, string>): number => (/^\d{1,9}$/.test(version) ? Number(version) : 0)

const all = '/clash-rules'
const one = '/clash-rules/:rule_id'
const view = { needs: 'clash_view' } as const
const manage = { needs: 'clash_rule_manage' } as const

export const routes = [
  get(all, {
    name: 'clash_rule.list',
    summary: 'List clash rules',
    says: 'Returns the rules of a profile by name; by default of the active one. A rule says which two things can’t be together.',
    access: view,
    query: RuleFilter,
    reply: Type.Array(ref(ClashRule)),
    handle: ({ ctx, query }) => listRules(ctx, query),
  }),
  post(all, {
    name: 'clash_rule.create',
    summary: 'Create a clash rule',
    says: 'Adds a rule to a profile; it is on unless `enabled` is false. Every fault is returned at once. A condition that doesn’t limit the distance on every branch is refused (`unbounded_reach`).',
    access: manage,
    body: NewClashRule,
    of: OneClashRule,
    reply: ref(OneClashRule),
    status: 201,
    refuses: ['conflict'],
    handle: async ({ ctx, body }) => {
      const made = await createRule(ctx, body)
      return created(made, `/clash-rules/${made.id}`)
    },
  }),
  get(one, {
    name: 'clash_rule.show',
    summary: 'Show a clash rule',
    says: 'Returns a rule in words, and how far it reaches. For a rule with a matrix it also returns what every two active permit types give, with the cell that decides.',
    access: view,
    on: clashRule,
    reply: ref(OneClashRule),
    handle: ({ ctx, thing }) => showRule(ctx, thing),
  }),
  patch(one, {
    name: 'clash_rule.change',
    summary: 'Update a clash rule',
    says: 'Saves changes as the rule’s next version. Cells of the matrix are merged one by one, and null removes a cell. If nothing differs, there is no new version.',
    access: manage,
    on: clashRule,
    body: ClashRuleChange,
    reply: ref(OneClashRule),
    refuses: ['conflict'],
    handle: ({ ctx, thing, body }) => changeRule(ctx, thing, body),
  }),
  del(one, {
    name: 'clash_rule.delete',
    summary: 'Delete a clash rule',
    says: 'Deletes a rule of the site; its versions stay readable. A standard rule can’t be deleted: switch it off instead.',
    access: manage,
    on: clashRule,
    reply: null,
    refuses: ['conflict'],
    handle: ({ ctx, thing }) => removeRule(ctx, thing),
  }),
  get(`${one}/history`, {
    name: 'clash_rule.list_history',
    summary: 'List versions of a clash rule',
    says: 'Returns the versions of a rule, newest first, with who saved each one, why, and what changed in words.',
    access: view,
    on: clashRule,
    reply: Type.Array(ref(ClashRuleHistory)),
    handle: ({ ctx, thing }) => showHistory(ctx, thing),
  }),
  get(`${one}/versions/:version`, {
    name: 'clash_rule.show_version',
    summary: 'Show a version of a clash rule',
    says: 'Returns the content of a rule in one of its versions, and when that version was active.',
    access: view,
    on: clashRule,
    reply: ref(ClashRuleVersion),
    handle: ({ ctx, thing, params }) => showVersion(ctx, thing, versionIn(params)),
  }),
  get(`${one}/diff`, {
    name: 'clash_rule.show_diff',
    summary: 'Compare versions of a clash rule',
    says: 'Returns what differs between two versions of a rule; by default between the previous one and the current one. Each cell of the matrix is one difference, together with its mirror.',
    access: view,
    on: clashRule,
    query: DiffQuery,
    reply: Type.Array(ref(ClashRuleDifference)),
    handle: ({ ctx, thing, query }) => showDiff(ctx, thing, query),
  }),
  post(`${one}/revert/:version`, {
    name: 'clash_rule.revert',
    summary: 'Restore a version of a clash rule',
    says: 'Saves the content of a version as the next version. It is checked against the fields and permit types of today. If it is already the current content, nothing changes.',
    access: manage,
    on: clashRule,
    body: RevertBody,
    reply: ref(OneClashRule),
    refuses: ['conflict'],
    handle: ({ ctx, thing, params, body }) => revertRule(ctx, thing, versionIn(params), body.change_note ?? null),
  }),
]
