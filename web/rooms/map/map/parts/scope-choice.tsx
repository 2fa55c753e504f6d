import { Choices } from '../../../../base/kit/field.tsx'
import { t } from '../says.ts'

/** What the form of a day of a schedule changes: only this day, or all days ahead. */
export type Scope = 'day' | 'ahead'

/** Asks what the form of a day of a schedule changes, and says what the choice means. */
export const ScopeChoice = ({ scope, onScope }: { scope: Scope; onScope(scope: Scope): void }) => (
  <>
    <Choices<Scope>
      label={t('token.scope')}
      options={(['day', 'ahead'] as const).map(value => ({ value, label: t(`token.scope.${value}`) }))}
      value={scope}
      onChoose={onScope}
    />
    <p className="soft small">{t(`token.scope_says.${scope}`)}</p>
  </>
)
