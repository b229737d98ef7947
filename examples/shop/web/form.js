// The embedded payment form on the shop's own page. Its events only tell what the payer sees: that the order is paid comes
// by notification, so the order's page waits for that.

const place = document.querySelector('#payment');
const said = document.querySelector('.said');
const { payUrl, orderPath } = place.dataset;
const say = (text) => () => {
  said.textContent = text;
};

Grosz.mount(place, { payUrl, language: 'en' })
  .on('processing', say('One moment…'))
  // The form says what it knows.
  .on('unanswered', say(''))
  .on('waiting', say('Your bank waits for you.'))
  .on('redirect', say('Your bank asks you to confirm.'))
  .on('declined', say('That did not work. You were not charged.'))
  .on('paid', () => location.assign(`${orderPath}?paid`))
  .on('canceled', () => location.assign(orderPath))
  .on('expired', () => location.assign(orderPath));
