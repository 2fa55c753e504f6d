import { type FormEvent, type ReactNode, useEffect, useId, useRef } from 'react'
import { t } from '../words.ts'
import { Button } from './button.tsx'
import { Faults } from './faults.tsx'
import { Glyph } from './glyph.tsx'

const NOTHING = (): void => undefined

/** A dialog, or (`side`) a panel on the right. Escape closes it and returns the focus to what opened it. */
export function Window({
  title,
  side = false,
  onClose,
  onSubmit,
  faults,
  children,
}: {
  title: ReactNode
  side?: boolean
  onClose(): void
  /** When given, the dialog is a form. */
  onSubmit?(): void
  /** What is wrong with the fields of the form. */
  faults?: ReadonlyMap<string, string>
  children: ReactNode
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const opener = document.activeElement
    dialog.current?.showModal()
    // The browser puts the focus on the close button; in a dialog with a field to type in, the focus belongs there.
    dialog.current?.querySelector<HTMLElement>('[data-first]')?.focus()
    return () => {
      if (opener instanceof HTMLElement) opener.focus()
    }
  }, [])
  const head = (
    <header className="row spread">
      <h2 id={id}>{title}</h2>
      <Button look="quiet" square aria-label={t('common.close')} onClick={onClose}>
        <Glyph name="close" />
      </Button>
    </header>
  )
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog by itself; this is for the pointer.
    <dialog
      ref={dialog}
      className={`window${side ? ' side' : ''}`}
      aria-labelledby={id}
      onCancel={event => {
        event.preventDefault()
        onClose()
      }}
      onClick={event => {
        if (event.target === dialog.current) onClose()
      }}
    >
      {onSubmit === undefined ? (
        <div className="inside">
          {head}
          {children}
        </div>
      ) : (
        <form
          onSubmit={(event: FormEvent) => {
            event.preventDefault()
            onSubmit()
          }}
        >
          {head}
          {faults === undefined ? children : <Faults of={faults}>{children}</Faults>}
        </form>
      )}
    </dialog>
  )
}

/** Makes everything on the page inert except a menu and its button; returns what ends that. */
function coverPage(menu: HTMLElement): () => void {
  const covered: HTMLElement[] = []
  for (let at: HTMLElement = menu; at.parentElement !== null && at !== document.body; at = at.parentElement)
    for (const one of at.parentElement.children)
      if (one instanceof HTMLElement && one !== at && !one.inert && one.getAttribute('popovertarget') !== menu.id) covered.push(one)
  for (const one of covered) one.inert = true
  return () => {
    for (const one of covered) one.inert = false
  }
}

type MenuGiven = { label: string; face: ReactNode; children: ReactNode; square?: boolean; onOpen?(): void }

/** A menu attached to its button. Escape closes it, and so does a tap elsewhere, which does nothing else. */
export function Menu({ label, face, children, square = true, onOpen }: MenuGiven) {
  const id = useId()
  const uncover = useRef(NOTHING)
  // A menu that leaves the page while it is open isn't closed first.
  useEffect(() => () => uncover.current(), [])
  return (
    <>
      <Button look="quiet" square={square} aria-label={label} popoverTarget={id} style={{ anchorName: `--${CSS.escape(id)}` }}>
        {face}
      </Button>
      <div
        id={id}
        popover="auto"
        role="dialog"
        aria-modal="true"
        aria-label={label}
        className="menu"
        style={{ positionAnchor: `--${CSS.escape(id)}` }}
        onBeforeToggle={event => {
          uncover.current()
          uncover.current = event.newState === 'open' ? coverPage(event.currentTarget) : NOTHING
          if (event.newState === 'open') onOpen?.()
        }}
        onClick={event => {
          if (event.target instanceof Element && event.target.closest('.item, .menu-cover') !== null) event.currentTarget.hidePopover()
        }}
        onKeyDown={event => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
          event.preventDefault()
          const items = [...event.currentTarget.querySelectorAll<HTMLElement>('.item')]
          const at = items.findIndex(item => item.matches(':focus')) // -1 when none of them has the focus
          items.at((at + (event.key === 'ArrowDown' ? 1 : -1)) % items.length)?.focus()
        }}
      >
        {/* The browser would close the menu before the tap ends, and the tap would press what is behind it: a thumb in a glove could take a task, or sign. */}
        <div className="menu-cover" />
        {children}
      </div>
    </>
  )
}
