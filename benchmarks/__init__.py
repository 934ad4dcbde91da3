"""Speed, as ratios measured in one run: what the project promises about speed must hold on any machine."""
