import { signOut } from '../base/auth.ts'
import { Button } from '../base/kit/button.tsx'
import { Choices, Tick } from '../base/kit/field.tsx'
import { Note } from '../base/kit/note.tsx'
import { Window } from '../base/kit/window.tsx'
import { chooseLooks, useLooks } from '../base/looks.ts'
import { useOutbox } from '../base/outbox.ts'
import { useHere, useMe } from '../base/site.tsx'
import { THEMES } from '../base/theme/themes.ts'
import { t, tOf } from '../base/words.ts'

/** The signed-in person, and this device's appearance settings. */
export default function MePanel({ onClose, onKeys }: { onClose(): void; onKeys(): void }) {
  const { me, role } = useHere()
  const built_in = useMe().data?.provider.kind === 'built_in'
  const looks = useLooks()
  const waits = useOutbox().items.filter(item => item.state === 'here').length
  const themes = ['system', ...THEMES] as const
  return (
    <Window title={t('me.title')} onClose={onClose}>
      <p>
        <span className="strong">{me.name}</span>
        {role !== null && <span className="soft"> · {tOf('role', role)}</span>}
        <br />
        <span className="soft small">{me.email}</span>
      </p>
      <Choices
        label={t('look.theme')}
        options={themes.map(theme => ({ value: theme, label: t(`look.theme.${theme}`) }))}
        value={looks.theme ?? 'system'}
        onChoose={theme => chooseLooks({ theme: theme === 'system' ? null : theme })}
      />
      <Choices
        label={t('look.density')}
        options={[
          { value: 'close', label: t('look.density.close') },
          { value: 'roomy', label: t('look.density.roomy') },
        ]}
        value={looks.roomy ? 'roomy' : 'close'}
        onChoose={density => chooseLooks({ roomy: density === 'roomy' })}
      />
      <Tick label={t('look.gloves')} checked={looks.gloves} onChange={event => chooseLooks({ gloves: event.target.checked })} />
      <Button look="quiet" className="desk-only" onClick={onKeys}>
        {t('keys.title')}
      </Button>
      {built_in && (
        <div className="stack tight">
          <a className="btn wide" href="/oidc/devices">
            {t('me.devices')}
          </a>
          <a className="btn wide" href="/oidc/second-factor">
            {t('me.second_factor')}
          </a>
        </div>
      )}
      {waits > 0 && <Note kind="warn">{t('outbox.signed_out', { n: waits })}</Note>}
      <Button
        // Unsent requests stay, as the outbox does: nobody else can see them.
        onClick={() => void signOut()}
      >
        {t('sign_out')}
      </Button>
    </Window>
  )
}
