import './key-sheet.css'
import { useTranslation } from 'react-i18next'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'

/** The list of the inbox's keyboard shortcuts. */
export default function KeySheet({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('inbox')
  const { ctrl, shift } = { ctrl: t('keys.ctrl'), shift: t('keys.shift') }
  const parts = [
    {
      title: t('keys.list'),
      keys: [
        [['j'], t('keys.next')],
        [['k'], t('keys.previous')],
        [['Enter'], t('keys.open')],
        [['n'], t('keys.nextUnread')],
        [['x'], t('keys.pick')],
        [[shift, 'x'], t('keys.pickTo')],
        [['/'], t('keys.search')],
        [[ctrl, 'k'], t('keys.palette')],
        [['?'], t('keys.sheet')],
      ],
    },
    {
      title: t('keys.chat'),
      keys: [
        [['r'], t('keys.reply')],
        [['Enter'], t('keys.send')],
        [[ctrl, 'Enter'], t('keys.sendNext')],
        [[shift, 'Enter'], t('keys.line')],
        [['/'], t('keys.answers')],
        [['p'], t('keys.template')],
        [[ctrl, 'b'], t('keys.bold')],
        [[ctrl, 'i'], t('keys.italic')],
        [[ctrl, '.'], t('keys.note')],
        [['c'], t('keys.contact')],
        [['a'], t('keys.assign')],
        [['h'], t('keys.snooze')],
        [['t'], t('keys.tags')],
        [['f'], t('keys.searchChat')],
        [['e'], t('keys.archive')],
        [['u'], t('keys.unread')],
        [['Esc'], t('keys.leave')],
      ],
    },
  ] as const
  return (
    <Modal title={t('keys.title')} width={720} onClose={onClose}>
      <div className="key-sheet">
        {parts.map(({ title, keys }) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl>
              {keys.map(([names, does]) => (
                <div key={does}>
                  <dt>
                    {names.map(name => (
                      <kbd key={name}>{name}</kbd>
                    ))}
                  </dt>
                  <dd>{does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <div className="dialog-buttons">
        <button type="button" className="button" onClick={onClose}>
          {t('keys.close')}
        </button>
      </div>
    </Modal>
  )
}
