// Color and logo of the pay page: as they are, and as fields.

import { FileInput } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useState } from 'react';
import { useText } from '../../../language/text.ts';
import { TextField } from '../../../ui/form.tsx';
import { payPageText } from './words.ts';

/** That of the pay page without a choice, as it is in web/pay/pay.css. */
const usualColor = '#0b6650';

export function Color({ color }: { readonly color: string | null }) {
  const t = useText(payPageText);
  return (
    <span className="color-shown">
      <span className="color-swatch" style={{ backgroundColor: color ?? usualColor }} />
      <span className={color ? 'mono' : undefined}>{color ?? t('usual')}</span>
    </span>
  );
}

/** A text, with the browser's own choice of colors beside it. Empty means the usual color, which an own one cannot say. */
export function ColorField({ color }: { readonly color: string | null }) {
  const t = useText(payPageText);
  const [text, setText] = useState(color ?? '');
  const isColor = /^#[0-9a-f]{6}$/i.test(text.trim());
  return (
    <TextField
      name="color"
      label={t('color')}
      description={t('colorHint')}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      placeholder={usualColor}
      rightSectionWidth={44}
      rightSection={
        <input
          type="color"
          className="color-choice"
          aria-label={t('chooseColor')}
          value={isColor ? text.trim().toLowerCase() : usualColor}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      }
    />
  );
}

/** The same file at this panel's own origin, which is all that its policy lets it load. */
export function Logo({ url, alt }: { readonly url: string; readonly alt: string }) {
  return <img className="logo-shown" src={new URL(url).pathname} alt={alt} />;
}

interface LogoFieldProps {
  readonly file: File | null;
  readonly choose: (file: File | null) => void;
}

export function LogoField({ file, choose }: LogoFieldProps) {
  const t = useText(payPageText);
  return (
    <FileInput
      label={t('logo')}
      description={t('logoHint')}
      placeholder={t('chooseFile')}
      leftSection={<IconUpload size={16} aria-hidden="true" />}
      accept="image/png,image/jpeg,image/webp"
      clearable
      clearButtonProps={{ 'aria-label': t('forgetFile') }}
      value={file}
      onChange={choose}
    />
  );
}
