import { post } from '../../../base/http.ts'
import { ref } from '../../../base/schema.ts'
import { preview } from './actions/preview.ts'
import { ClashRulePreview, PreviewRule } from './schema.ts'

export const routes = [
  post('/clash-rules/dsl/preview', {
    name: 'clash_rule.preview',
    summary: 'Preview a clash rule',
    says: 'Shows what a rule would find in a period, and how that differs from the rule that it would replace. It stores nothing, and a rule with faults is answered with every fault. It looks for at most five seconds.',
    access: { needs: 'clash_rule_manage' },
    body: PreviewRule,
    reply: ref(ClashRulePreview),
    status: 200,
    reads: true,
    refuses: ['not_found'],
    handle: ({ ctx, body }) => preview(ctx, body),
  }),
]
