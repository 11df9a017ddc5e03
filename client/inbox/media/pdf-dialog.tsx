import './pdf-dialog.css'
import { useTranslation } from 'react-i18next'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'

interface PdfDialogProps {
  readonly name: string
  readonly url: string
  /** The caption, if it differs from the name. */
  readonly about?: string
  onClose(): void
}

/** A PDF in the browser's own viewer, or a download link without one. */
export default function PdfDialog({ name, url, about, onClose }: PdfDialogProps) {
  const { t } = useTranslation('inbox')
  return (
    <Modal title={name} width={880} onClose={onClose}>
      <iframe className="pdf-view" src={`${url}#page=1&navpanes=0&view=FitH`} title={name} />
      {about && about !== name ? <p className="pdf-about">{about}</p> : null}
      <div className="pdf-steps wrap">
        <a className="button" href={url} target="_blank" rel="noopener" download={name}>
          <Icon name="download" />
          {t('viewer.download')}
        </a>
        <button type="button" className="button button-primary" onClick={onClose}>
          {t('viewer.close')}
        </button>
      </div>
    </Modal>
  )
}
