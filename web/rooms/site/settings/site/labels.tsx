import { useRef, useState } from 'react'
import { keysOf } from '../../../../../shared/narrow.ts'
import { Button, FlagButton } from '../../../../base/kit/button.tsx'
import { Note, toast, toastFault, Wait } from '../../../../base/kit/note.tsx'
import { useHere } from '../../../../base/site.tsx'
import { LABELLED, LabelSample, useLabelStyles } from '../../../map/map/door.tsx'
import { Movers } from '../parts/movers.tsx'
import { t, tOf } from '../says.ts'
import { type LabelStyles, type NewLabelStyles, saveLabelStyles } from './data.ts'
import { exampleOf, LabelLayerWindow, styleFor } from './label-layer-window.tsx'
import { LabelStyleWindow } from './label-style-window.tsx'
import { FALLBACK, type LayerName, ordered, type Style, withMoved, withoutLayer, withoutStyle } from './label-styles.ts'

/** What is open, with the document that was shown when it was opened: a later change by someone else is not overwritten. */
type Open = { given: LabelStyles; style: Style | null } | { given: LabelStyles; layer: LayerName }

/** How text looks on the map and in print: styles, and which layer uses which. */
export function Labels() {
  const { site_id } = useHere()
  const styles = useLabelStyles(site_id)
  if (styles.data === undefined) return <Wait query={styles} rows={4} />
  return <LabelLists given={styles.data} />
}

/** Saves changes one after another, each on what the one before made; and offers to undo them. */
function useChanges(given: LabelStyles) {
  const latest = useRef(given)
  const last = useRef<Promise<unknown>>(Promise.resolve())
  if (given.version > latest.current.version) latest.current = given
  const change = (make: (now: LabelStyles) => NewLabelStyles, said: string, undone: LabelStyles | null = null) => {
    last.current = last.current.then(async () => {
      // What is undone must still be the newest: a later change by someone else is not overwritten.
      const before = undone ?? latest.current
      try {
        const after = await saveLabelStyles(before, make(before))
        latest.current = after
        const undo = { label: t('labels.undo'), run: () => change(() => before, t('common.saved'), after) }
        toast(said, undone === null && after.version !== before.version ? { undo } : {})
      } catch (error) {
        toastFault(error)
      }
    })
  }
  return change
}

function LabelLists({ given }: { given: LabelStyles }) {
  const [open, setOpen] = useState<Open | null>(null)
  const change = useChanges(given)
  const may = given.permissions.edit.allowed
  const layers = keysOf(given.registry)
  const drawn = (name: LayerName) => LABELLED.some(one => one === name)
  const styles = ordered(given.styles)
  const list = (names: LayerName[]) => (
    <ul className="lines">
      {names.map(name => (
        <LayerRow key={name} given={given} name={name}>
          {may && (
            <span className="row">
              <Button aria-label={t('labels.edit', { name: tOf('labels.layer', name) })} onClick={() => setOpen({ given, layer: name })}>
                {t('common.edit')}
              </Button>
              <Button
                look="quiet"
                aria-label={t('labels.reset_layer', { name: tOf('labels.layer', name) })}
                onClick={() => change(now => withoutLayer(now, name), t('labels.was_reset', { name: tOf('labels.layer', name) }))}
              >
                {t('labels.reset')}
              </Button>
            </span>
          )}
        </LayerRow>
      ))}
    </ul>
  )
  return (
    <div className="stack">
      <section className="stack" aria-label={t('labels.styles')}>
        <div className="row spread">
          <h2>{t('labels.styles')}</h2>
          <FlagButton flag={given.permissions.edit} look="primary" onClick={() => setOpen({ given, style: null })}>
            {t('labels.add_style')}
          </FlagButton>
        </div>
        <ul className="lines">
          {styles.map((style, at) => (
            <StyleRow key={style.key} given={given} style={style}>
              {may && (
                <span className="row">
                  <Button aria-label={t('labels.edit', { name: style.name })} onClick={() => setOpen({ given, style })}>
                    {t('common.edit')}
                  </Button>
                  <Movers
                    name={style.name}
                    at={at}
                    length={styles.length}
                    onMove={by => change(now => withMoved(now, style.key, by), t('common.saved'))}
                    onRemove={
                      style.key === FALLBACK
                        ? undefined
                        : () =>
                            change(now => withoutStyle(now, style.key), t('labels.removed', { name: style.name, other: noteOf(styles) }))
                    }
                  />
                </span>
              )}
            </StyleRow>
          ))}
        </ul>
      </section>
      <section className="stack" aria-label={t('labels.layers')}>
        <h2>{t('labels.layers')}</h2>
        {list(layers.filter(drawn))}
      </section>
      <section className="stack" aria-label={t('labels.other_layers')}>
        <h2>{t('labels.other_layers')}</h2>
        <p className="soft says">{t('labels.other_layers_say')}</p>
        {list(layers.filter(name => !drawn(name)))}
      </section>
      {open !== null && 'style' in open && <LabelStyleWindow {...open} onClose={() => setOpen(null)} />}
      {open !== null && 'layer' in open && <LabelLayerWindow given={open.given} name={open.layer} onClose={() => setOpen(null)} />}
    </div>
  )
}

/** Returns the name of the style that replaces a removed one. */
const noteOf = (styles: readonly Style[]): string => styleFor(styles, FALLBACK)?.name ?? FALLBACK

function StyleRow({ given, style, children }: { given: LabelStyles; style: Style; children: React.ReactNode }) {
  const { name, key, weight, size_px, italic, uppercase } = style
  const facts = [
    t(`labels.weight.${weight}`),
    t('labels.n_px', { n: size_px }),
    italic && t('labels.italic'),
    uppercase && t('labels.uppercase'),
  ]
  return (
    <li>
      <div className="stack tight grow">
        <span className="row">
          <bdi className="strong">{name}</bdi>
          <span className="mono soft small">{key}</span>
        </span>
        <span className="soft small">{facts.filter(Boolean).join(' · ')}</span>
        {key === FALLBACK && <span className="soft small">{t('labels.fallback_says')}</span>}
        <LabelSample style={style} text={t('labels.sample')} />
        {given.warnings
          .filter(one => one.style_key === key)
          .map(one => (
            <Note key={one.code} kind="warn">
              {one.detail}
            </Note>
          ))}
      </div>
      {children}
    </li>
  )
}

function LayerRow({ given, name, children }: { given: LabelStyles; name: LayerName; children: React.ReactNode }) {
  const { visible, min_zoom, max_zoom, style_key, fields, max_chars } = given.layers[name]
  const style = styleFor(given.styles, style_key)
  const known = new Map(given.registry[name].map(one => [one.key, one.label]))
  return (
    <li className={visible ? '' : 'past'}>
      <div className="stack tight grow">
        <span className="row">
          <span className="strong">{tOf('labels.layer', name)}</span>
          {!visible && <span className="badge soft">{t('labels.hidden')}</span>}
        </span>
        <span className="soft small">
          {[
            fields.map(field => known.get(field) ?? field).join(', '),
            t('labels.n_chars', { n: max_chars }),
            t('labels.zooms', { from: min_zoom, to: max_zoom }),
          ].join(' · ')}
          {' · '}
          <bdi>{style?.name ?? style_key}</bdi>
        </span>
        {style !== undefined && <LabelSample style={style} text={exampleOf(name, fields, max_chars)} />}
      </div>
      {children}
    </li>
  )
}
