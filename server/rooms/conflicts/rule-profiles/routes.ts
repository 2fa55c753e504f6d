import { created, del, get, patch, post } from '../../../base/http.ts'
import { ref, Type } from '../../../base/schema.ts'
import { listOf } from '../clash-rules/door.ts'
import { ClashRule, ProfileRuleFilter } from '../clash-rules/schema.ts'
import {
  activateProfile,
  changeProfile,
  cloneProfile,
  createProfile,
  listProfiles,
  removeProfile,
  showProfile,
  syncProfile,
} from './actions.ts'
import { ruleProfile } from './door.ts'
import { ClonedProfile, CloneProfile, NewProfile, ProfileChange, ProfileFilter, RuleProfile, SyncedProfile, SyncProfile } from './schema.ts'

const all = '/rule-profiles'
const one = '/rule-profiles/:profile_id'
const view = { needs: 'clash_view' } as const
const manage = { needs: 'clash_rule_manage' } as const

export const routes = [
  get(all, {
    name: 'rule_profile.list',
    summary: 'List rule profiles',
    says: 'Returns the rule profiles of a site: the active one first, then by name.',
    access: view,
    query: ProfileFilter,
    reply: Type.Array(ref(RuleProfile)),
    handle: ({ ctx, query }) => listProfiles(ctx, query.site_id),
  }),
  post(all, {
    name: 'rule_profile.create',
    summary: 'Create a rule profile',
    says: 'Adds a profile, with the standard rules or without rules. It is not active.',
    access: manage,
    body: NewProfile,
    of: RuleProfile,
    reply: ref(RuleProfile),
    status: 201,
    refuses: ['conflict'],
    handle: async ({ ctx, body }) => {
      const made = await createProfile(ctx, body)
      return created(made, `/rule-profiles/${made.id}`)
    },
  }),
  get(one, {
    name: 'rule_profile.show',
    summary: 'Show a rule profile',
    says: 'Returns a profile with the number of its rules, and how many standard rules have a newer revision.',
    access: view,
    on: ruleProfile,
    reply: ref(RuleProfile),
    handle: ({ ctx, thing }) => showProfile(ctx, thing),
  }),
  patch(one, {
    name: 'rule_profile.change',
    summary: 'Update a rule profile',
    says: 'Changes the name or the description of a profile.',
    access: manage,
    on: ruleProfile,
    body: ProfileChange,
    reply: ref(RuleProfile),
    refuses: ['conflict'],
    handle: ({ ctx, thing, body }) => changeProfile(ctx, thing, body),
  }),
  del(one, {
    name: 'rule_profile.delete',
    summary: 'Delete a rule profile',
    says: 'Deletes a profile with its rules. The active profile can’t be deleted.',
    access: manage,
    on: ruleProfile,
    alone: true,
    reply: null,
    refuses: ['conflict'],
    handle: ({ ctx, thing }) => removeProfile(ctx, thing),
  }),
  post(`${one}/activate`, {
    name: 'rule_profile.activate',
    summary: 'Activate a rule profile',
    says: 'Makes a profile the active one in place of the one before, in one step. A profile with a rule that refers to what no longer exists is refused (`invalid_rules`). One that is active already stays so.',
    access: manage,
    on: ruleProfile,
    alone: true,
    reply: ref(RuleProfile),
    refuses: ['conflict'],
    handle: ({ ctx, thing }) => activateProfile(ctx, thing),
  }),
  post(`${one}/clone`, {
    name: 'rule_profile.clone',
    summary: 'Copy a rule profile',
    says: 'Copies a profile with its rules and consequences, to the same site or to another one where you can change rules. Rules that refer to records or permit types that the other site doesn’t have arrive switched off.',
    access: manage,
    on: ruleProfile,
    body: CloneProfile,
    reply: ref(ClonedProfile),
    status: 201,
    refuses: ['conflict'],
    handle: async ({ ctx, thing, body }) => {
      const made = await cloneProfile(ctx, thing, body)
      return created(made, `/rule-profiles/${made.id}`)
    },
  }),
  post(`${one}/sync-system-rules`, {
    name: 'rule_profile.sync',
    summary: 'Synchronise the standard rules of a profile',
    says: 'Adds standard rules that are missing and takes over newer revisions. Customised rules stay as they are unless `overwrite` contains them. Repeating it changes nothing.',
    access: manage,
    on: ruleProfile,
    alone: true,
    body: SyncProfile,
    reply: ref(SyncedProfile),
    handle: ({ ctx, thing, body }) => syncProfile(ctx, thing, body),
  }),
  get(`${one}/rules`, {
    name: 'rule_profile.list_rules',
    summary: 'List the rules of a profile',
    says: 'Returns the rules of a profile by name, with the filters of `GET /clash-rules`.',
    access: view,
    on: ruleProfile,
    query: ProfileRuleFilter,
    reply: Type.Array(ref(ClashRule)),
    handle: ({ ctx, thing, query }) => listOf(ctx, thing.site_id, thing.id, query),
  }),
]
