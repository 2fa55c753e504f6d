import { Fragment } from 'react'
import { Window } from '../base/kit/window.tsx'
import { t } from '../base/words.ts'

const KEYS = [
  [['Ctrl', 'K'], 'keys.search'],
  [['C'], 'keys.capture'],
  [['/'], 'keys.find'],
  [['J', 'K'], 'keys.rows'],
  [['Enter'], 'keys.open'],
  [['←', '↑', '↓', '→'], 'keys.board'],
  [['Esc'], 'keys.leave'],
  [['?'], 'keys.help'],
] as const

/** The keys that work everywhere, and those of lists and of the board. */
export default function Shortcuts({ onClose }: { onClose(): void }) {
  return (
    <Window title={t('keys.title')} onClose={onClose}>
      <dl className="facts">
        {KEYS.map(([keys, says]) => (
          <Fragment key={says}>
            <dt>
              {keys.map(key => (
                <kbd key={key} className="kbd">
                  {key}
                </kbd>
              ))}
            </dt>
            <dd>{t(says)}</dd>
          </Fragment>
        ))}
      </dl>
    </Window>
  )
}
