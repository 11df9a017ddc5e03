import './styles/waits.css'

/** A contact that loads: as large as the face and the values that come, so that nothing moves. */
export const ContactWaits = () => (
  <div className="contact-waits" aria-hidden="true">
    <div className="contact-waits-face line">
      <span className="avatar" />
      <div className="grow">
        <span className="skeleton" />
        <span className="skeleton" />
        <span className="skeleton" />
      </div>
    </div>
    <span className="skeleton skeleton-rows contact-waits-values" />
  </div>
)
