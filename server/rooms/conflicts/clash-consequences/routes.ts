import { answer, created, del, get, put } from '../../../base/http.ts'
import { ref, Type } from '../../../base/schema.ts'
import { listConsequences, resetConsequence, setConsequence } from './actions.ts'
import { clashConsequence } from './door.ts'
import { ClashConsequence, ConsequenceFilter, SetConsequence } from './schema.ts'

const all = '/clash-consequences/'

export const routes = [
  get(all, {
    name: 'clash_consequence.list',
    summary: 'List consequences of clashes',
    says: 'Returns what clashes of every rule of a profile mean for the work; by default of the active one, by the name of the rule; `is_default` where nobody has set it.',
    access: { needs: 'clash_view' },
    query: ConsequenceFilter,
    reply: Type.Array(ref(ClashConsequence)),
    handle: ({ ctx, query }) => listConsequences(ctx, query),
  }),
  put(all, {
    name: 'clash_consequence.set',
    summary: 'Set the consequence of a rule’s clashes',
    says: 'Sets what clashes of a rule mean for the work. The whole consequence is replaced: a field that is left out gets its default.',
    access: { needs: 'clash_rule_manage' },
    body: SetConsequence,
    reply: ref(ClashConsequence),
    also: { 201: 'It hadn’t been set before' },
    refuses: ['version_conflict'],
    handle: async ({ ctx, body, wire }) => {
      const { shown, fresh, profile_id } = await setConsequence(ctx, body, wire.if_match)
      return fresh
        ? created(shown, `${all}?site_id=${shown.site_id}&profile_id=${profile_id}&clash_rule_id=${shown.clash_rule_id}`)
        : answer(shown)
    },
  }),
  del('/clash-consequences/:clash_rule_id', {
    name: 'clash_consequence.reset',
    summary: 'Reset the consequence of a rule’s clashes',
    says: 'Goes back to the defaults for clashes of a rule.',
    access: { needs: 'clash_rule_manage' },
    on: clashConsequence,
    reply: null,
    handle: ({ ctx, thing }) => resetConsequence(ctx, thing),
  }),
]
