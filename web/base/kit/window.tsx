import { type FormEvent, type ReactNode, useEffect, useId, useRef } from 'react'
import { t } from '../words.ts'
import { Button } from './button.tsx'
import { Glyph } from './glyph.tsx'

/** A dialog, or (`side`) a panel on the right. Escape closes it and returns the focus to what opened it. */
export function Window({
  title,
  side = false,
  onClose,
  onSubmit,
  children,
}: {
  title: ReactNode
  side?: boolean
  onClose(): void
  /** When given, the dialog is a form. */
  onSubmit?(): void
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
          {children}
        </form>
      )}
    </dialog>
  )
}

/** A menu attached to its button; the browser closes it on Escape and on a tap elsewhere. */
export function Menu({ label, face, children, square = true }: { label: string; face: ReactNode; children: ReactNode; square?: boolean }) {
  const id = useId()
  return (
    <>
      <Button look="quiet" square={square} aria-label={label} popoverTarget={id} style={{ anchorName: `--${CSS.escape(id)}` }}>
        {face}
      </Button>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: what is pressed are the items; this only closes behind them. */}
      <div
        id={id}
        popover="auto"
        className="menu"
        style={{ positionAnchor: `--${CSS.escape(id)}` }}
        onClick={event => {
          if (event.target instanceof Element && event.target.closest('.item') !== null) event.currentTarget.hidePopover()
        }}
        onKeyDown={event => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
          event.preventDefault()
          const items = [...event.currentTarget.querySelectorAll<HTMLElement>('.item')]
          const at = items.findIndex(item => item.matches(':focus')) // -1 when none of them has the focus
          items.at((at + (event.key === 'ArrowDown' ? 1 : -1)) % items.length)?.focus()
        }}
      >
        {children}
      </div>
    </>
  )
}
