// Links inside the panel. They keep the account that is looked through (`?as=`) by themselves.

import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

export type Search = Readonly<Record<string, string | undefined>>;

interface Target {
  /** Starts with a slash; without `/panel`. */
  readonly to: string;
  readonly search?: Search;
  readonly children?: ReactNode;
}

export function TextLink({ to, search = {}, ...props }: Target & AnchorProps) {
  return <Anchor {...props} renderRoot={(root) => <Link {...root} to={to} search={search} />} />;
}

export function ButtonLink({ to, search = {}, ...props }: Target & ButtonProps) {
  return <Button {...props} renderRoot={(root) => <Link {...root} to={to} search={search} />} />;
}
