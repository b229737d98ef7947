// The frame of pages for people who are not signed in.

import { Anchor, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useContext } from 'react';
import { languageChoices } from '../language/guess.ts';
import { useLanguage } from '../language/text.ts';
import { useTitle } from '../ui/page.tsx';
import { Brand } from './brand.tsx';
import { ChooseLanguage } from './language-choice.ts';

interface OutsideProps {
  readonly title: string;
  readonly about?: ReactNode;
  readonly children: ReactNode;
}

export function Outside({ title, about, children }: OutsideProps) {
  useTitle(title);
  return (
    <Stack component="main" className="outside" gap="lg">
      <Brand />
      <Paper withBorder radius="md" p={{ base: 'md', xs: 'xl' }} w="100%">
        <Stack gap="lg">
          <div>
            <Title order={1}>{title}</Title>
            {about ? (
              <Text c="dimmed" size="sm" mt={4} component="div">
                {about}
              </Text>
            ) : null}
          </div>
          {children}
        </Stack>
      </Paper>
      <OtherLanguages />
    </Stack>
  );
}

function OtherLanguages() {
  const language = useLanguage();
  const choose = useContext(ChooseLanguage);
  return (
    <Group justify="center">
      {languageChoices
        .filter(({ value }) => value !== language)
        .map(({ value, label }) => (
          <Anchor key={value} component="button" type="button" size="sm" lang={value} onClick={() => choose(value)}>
            {label}
          </Anchor>
        ))}
    </Group>
  );
}
